/**
 * Characters that show nothing (Unicode's default ignorables and the marks of interlinear notes): tags, direction overrides,
 * word joiners, soft hyphens, fillers, variation selectors. A text with them says more to a machine than to its reader.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Control characters but tab and line breaks: some hide in the middle of a word, others steer a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;
const PLAIN = /^[\t\n\r -~£€–—‘’“”•]*$/;

/** A text without characters that show nothing; control characters become blanks, tabs and line breaks stay. */
export function dropInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(INVISIBLE, '').replace(CONTROL, ' ');
}
