// The first script of every page: reads what the server wrote into the page and builds what is asked for.
import { mount } from './shell.js';

const config = JSON.parse(document.getElementById('config').textContent);
await mount(document.querySelector('.gridsage'), config.page, config);
