// A button with `data-copy` copies the text of the element with that id. Without this script it stays hidden.
for (const button of document.querySelectorAll('button[data-copy]')) {
  const words = button.firstChild;
  const before = words.textContent;
  let timer;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    words.textContent = (await copy(source)) ? 'Copied' : 'Press Ctrl+C';
    clearTimeout(timer);
    timer = setTimeout(() => {
      words.textContent = before;
    }, 2_000);
  });
}

/** Whether the text was copied. If the browser refuses, the text is selected for the reader to copy. */
async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return false;
  }
}
