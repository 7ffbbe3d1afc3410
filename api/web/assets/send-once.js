// Ignores a second click on a form that is being sent: the response to the first would be lost.
addEventListener('submit', (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = 'yes';
});
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});
