// A small board that plays its few steps again and again, or stands still where motion is not wanted.
const STEP_MS = 900;
const REST = 3; // beats at the end before it begins again

export function picture(view, { hello, frames }, label) {
  view.board.most = 34;
  view.board.boxed = true;
  view.canvas.tabIndex = -1;
  view.hear(hello);
  frames.forEach((frame) => view.recording.add(frame));
  let at = 0;
  const show = () => {
    view.show(Math.min(at, frames.length - 1), STEP_MS);
    view.canvas.setAttribute('aria-label', label);
  };
  requestAnimationFrame(show);
  if (frames.length < 2 || matchMedia('(prefers-reduced-motion: reduce)').matches) return () => view.destroy();
  const clock = setInterval(() => {
    at = (at + 1) % (frames.length + REST);
    if (at < frames.length) show();
  }, STEP_MS);
  return () => {
    clearInterval(clock);
    view.destroy();
  };
}
