import { spawn } from 'node:child_process';

/** Fetched by npx when this is run, with a Node that they run on; no part of the project. */
const PACKAGES = [
  'node@24',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
];
const NPX = ['-y', '--engine-strict=false', ...PACKAGES.flatMap((name) => ['-p', name])];

/** Runs one of the public tools in a folder and answers what it said. @throws Error where it said nothing. */
export async function runPublicTool(folder: string, command: readonly string[]): Promise<string> {
  const child = spawn('npx', [...NPX, ...command], { cwd: folder });
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (said === '') throw new Error(`${command[0]} said nothing: ${complained.slice(-2_000)}`);
  return said;
}
