// Ignores a second click on a form that is being sent: the response to the first would be lost.
const again = () => {
  for (const form of document.forms) delete form.dataset.sent;
};
// Firefox, and Safari before 26.2, do not report a page that was stopped. After ten seconds the reader decides.
const isMeant = (sent) =>
  performance.now() - sent > 10_000 && confirm('This was sent, and there is no answer yet. Send it again?');
addEventListener('submit', (event) => {
  const { dataset } = event.target;
  if (dataset.sent && !isMeant(Number(dataset.sent))) return event.preventDefault();
  dataset.sent = performance.now();
});
addEventListener('pageshow', again);
// Somebody has stopped the page that was loading, by Escape or by the browser's own button.
globalThis.navigation?.addEventListener('navigateerror', again);
