import { because, type Shortfalls } from './because.ts';

/** By the reason of the case and its part. */
export const CONTACT_SHORTFALLS: Shortfalls = {
  ...because('a mail address that is not written as one', [
    'all in words: j dot eldon at brackham dot gov dot uk',
    'at as a word in capitals: j.eldon AT brackham.gov.uk',
    'a line broken behind the at: j.eldon@\nbrackham.gov.uk',
    'ideographic full stops: j.eldon@brackham。gov。uk',
  ]),
  ...because('a telephone number in another form than the usual', [
    'a stroke: 01632/960456',
    'a line broken inside: 01632\n960456',
    'two ends of one number: 01632 960 456',
    'glued to a word behind: 01632 960456',
    'a letter in front, the second: 01632 960457',
    'no plus: 44 1632 960456',
    'digit by digit: 0 7 7 0 0 9 0 0 4 5 6',
  ]),
  ...because('a name in another form than the contact point has it', [
    'an unseen space for a space: Mary\u200bPenhale',
    'an initial behind: Penhale M',
    'a middle name in the text: Penhale',
    'glued to a word: Mary Penhale',
    'Welsh daughter of: Nia Ferch Owain',
    'the particle left out: Silvarez',
    'a foreign title: von Tavel',
    'the contact has only the initial: John Smythe',
    'the initial changes sides: Smythe J',
    'a unit before the name: John Smythe',
    'a user name for a name: John Smythe',
    'South Indian initial: Ramanathapuram S',
  ]),
  ...because('a person called Li Ion: the words of a battery go too', ['two short words: LI-ION battery']),
};
