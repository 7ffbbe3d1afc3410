import { z } from 'zod';

/** One setting: what it means (a sentence for `.env.example`), what is accepted, and what it is when absent. */
export interface Setting<S extends z.ZodType> {
  about: string;
  schema: S;
  fallback: string | undefined;
}

export function setting<S extends z.ZodType>(fallback: string | undefined, schema: S, about: string): Setting<S> {
  return { fallback, schema, about };
}

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `a whole number from ${least} to ${most}`);
export const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'a number of seconds')
  .transform(Number);
export const flag = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true');
export const address = z
  .url({ protocol: /^https?$/, error: 'an http or https address' })
  .transform((url) => url.replace(/\/$/, ''));
export const databaseUrl = z
  .string()
  .regex(/^(file:|libsql:|https?:|wss?:)./, 'a file:, libsql:, http(s): or ws(s): address');
export const instant = z.iso
  .datetime({ offset: true, error: 'an ISO 8601 instant with a zone' })
  .transform((text) => new Date(text));
export const prefix = z.string().regex(/^[a-z][a-z0-9_]{0,19}$/, 'lower-case letters, digits and underscores');
export const text = z.string().min(1);
export const origins = z.string().transform((list) =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
