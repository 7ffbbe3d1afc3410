// Ignores a second click on a form that is being sent: the response to the first would be lost.
const again = () => {
  for (const form of document.forms) delete form.dataset.sent;
};
addEventListener('submit', (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = 'yes';
});
addEventListener('pageshow', again);
// Escape stops a page that is loading, and nothing else tells of it.
addEventListener('keydown', ({ key }) => key === 'Escape' && again());
