// The page of a new key is left for good: a browser that keeps whole pages for the way back keeps neither the key nor the call.
addEventListener('pagehide', () => {
  for (const id of ['new-key', 'first-call']) document.getElementById(id)?.replaceChildren();
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.replace('/dashboard#keys');
});
