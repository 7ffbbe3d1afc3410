// Clears the page of a new key or secret when it is left: browsers can keep whole pages for the Back button.
addEventListener('pagehide', () => {
  for (const id of ['new-key', 'first-call']) document.getElementById(id)?.replaceChildren();
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.replace(document.getElementById('copied').href);
});
