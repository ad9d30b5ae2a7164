// The one NiceGUI component of the page: an element whose inside is our own. No template, so that no policy needs eval.
export default {
  props: { page: String, config: Object },
  render() {
    return Vue.h('div', { class: 'gridsage' });
  },
  async mounted() {
    const { mount } = await import('/static/shell.js');
    this.leave = await mount(this.$el, this.page, this.config);
  },
  unmounted() {
    this.leave?.();
  },
};
