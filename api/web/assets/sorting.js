// Turns the headings of a table with `data-sort` into buttons that sort its rows by the `data-by` of their cells.
for (const table of document.querySelectorAll('table[data-sort]')) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => sort(body, head));
  }
}

/** Numbers and days start with the greatest, names are alphabetical; a second click reverses the order. Blanks stay last. */
function sort(body, head) {
  const column = head.cellIndex;
  const keyOf = (row) => row.cells[column].dataset.by ?? '';
  const rows = [...body.rows];
  const isPlain = rows.every((row) => /^[\d.-]*$/.test(keyOf(row)));
  const isNumber = rows.every((row) => /^(\d+(\.\d+)?)?$/.test(keyOf(row)));
  const before = head.ariaSort;
  const isUp = before ? before === 'descending' : !isPlain;
  for (const other of head.parentElement.cells) other.removeAttribute('aria-sort');
  head.ariaSort = isUp ? 'ascending' : 'descending';
  rows.sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a === '' || b === '') return (a === '') - (b === '');
    return (isNumber ? a - b : a.localeCompare(b, 'en-GB')) * (isUp ? 1 : -1);
  });
  body.append(...rows);
}
