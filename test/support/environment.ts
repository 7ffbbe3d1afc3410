/** The environment for a child process, without the test runner's own variables: its `BASE_URL` (`/`) would be a setting. */
export function makeEnvironment(settings: Record<string, string>): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(kept), ...settings };
}
