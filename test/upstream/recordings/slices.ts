/** The texts of the members of an array that stands under a top-level key, untouched; numbers no JSON knows (`Infinity`, `1e9999`, ` 000,`) do not disturb. */
export function sliceMembers(text: string, key: string): string[] {
  const opening = findTopLevelArray(text, key);
  if (opening < 0) return [];
  const members: string[] = [];
  let start = opening + 1;
  for (let at = start, depth = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    if (depth < 0 || (letter === ',' && depth === 0)) {
      const member = text.slice(start, at).trim();
      if (member) members.push(member);
      start = at + 1;
    }
    if (depth < 0) return members;
  }
  return members;
}

/** Index of the closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}

function findTopLevelArray(text: string, key: string): number {
  for (let at = 0, depth = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      const end = endOfString(text, at);
      const rest =
        depth === 1 && text.slice(at + 1, end) === key ? /^\s*:\s*\[/.exec(text.slice(end + 1, end + 100)) : null;
      if (rest) return end + rest[0].length;
      at = end;
    } else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
  }
  return -1;
}

/** JSON with the numbers repaired that the services are known to send. */
export function parseTolerantly(text: string): unknown {
  const whole = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(whole);
  } catch {
    // Only after a key: texts are full of `12:00:00`.
    return JSON.parse(whole.replace(/("\s*:\s*)-?Infinity\b/g, '$11e9999').replace(/("\s*:\s*)0+(\d)/g, '$1$2'));
  }
}
