// The one NiceGUI component of the page. What it shows is our own and stands beside the shell's layout, which has a
// main landmark and a page frame of its own. No template, so that no policy needs eval.
export default {
  props: { page: String, config: Object },
  render() {
    return Vue.h('div');
  },
  async mounted() {
    const { mount } = await import('/static/shell.js');
    const root = document.createElement('div');
    root.className = 'gridsage';
    document.getElementById('app').style.display = 'none';
    document.body.append(root);
    this.leave = await mount(root, this.page, this.config);
  },
  unmounted() {
    this.leave?.();
  },
};
