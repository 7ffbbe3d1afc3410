// A form that is on its way is not sent again by a second click: the page that answers the first would be lost.
addEventListener('submit', (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = 'yes';
});
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});
