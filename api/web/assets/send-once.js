// Ignores a second click on a form that is being sent: the response to the first would be lost.
const again = () => {
  for (const form of document.forms) delete form.dataset.sent;
};
addEventListener('submit', (event) => {
  if (event.target.dataset.sent) return event.preventDefault();
  event.target.dataset.sent = 'yes';
  // Firefox before 147, and Safari before 26.2, do not report a page that was stopped.
  if (!globalThis.navigation) setTimeout(again, 10_000);
});
addEventListener('pageshow', again);
// Somebody has stopped the page that was loading, by Escape or by the browser's own button.
globalThis.navigation?.addEventListener('navigateerror', again);
