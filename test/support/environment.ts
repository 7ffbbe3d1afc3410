/** What a child process needs of this one; the test runner's own variables (its `BASE_URL` is `/`) are settings to us and stay behind. */
export function makeEnvironment(settings: Record<string, string>): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(kept), ...settings };
}
