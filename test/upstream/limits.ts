import { type Reply, text } from './reply.ts';

/** User-Agents that the load balancer of both procurement sites blocks on every path (its Terraform, August 2026). */
const BLOCKED_AGENT =
  /bun\/\d|deno|supabase|gptbot|chatgpt-user|oai-searchbot|amazonbot|meta-externalagent|procurementextractor|findtender-ai-agent|shapbot|vinnikov-analytics/i;
const PACKAGES = /^\/api\/[^/]+\/ocds(Release|Record)Packages/i;
const BUSY = /^\/(Published\/Notices?\/|Search\/|Notice(\/|$))/i;
const PROCUREMENT = /^\/(api\/|Published\/|Harvester\/|Search\/|Notice)/i;
const WINDOW_MS = 120_000;
const REGISTER_WINDOW_MS = 300_000;

/** Decides whether a request is refused before its handler sees it; counts as it goes. */
type Gate = (path: string, userAgent: string | undefined, nowMs: number) => Reply | null;

/** The services' limits: 12 requests in 120 s shared by both procurement hosts, 240 on their other paths, 600 in 5 min on the register's API. */
export function makeGate(): Gate {
  const busy: number[] = [];
  const all: number[] = [];
  let register = { startedMs: Number.NEGATIVE_INFINITY, used: 0 };
  return (path, userAgent, nowMs) => {
    if (PROCUREMENT.test(path)) {
      if (BLOCKED_AGENT.test(userAgent ?? '')) return text('403 Forbidden', 403);
      const narrow = PACKAGES.test(path) || BUSY.test(path);
      return (narrow ? take(busy, 12, nowMs) : null) ?? take(all, 240, nowMs);
    }
    if (!path.startsWith('/company/')) return null;
    if (nowMs - register.startedMs >= REGISTER_WINDOW_MS) register = { startedMs: nowMs, used: 0 };
    register.used += 1;
    return register.used > 600 ? text('', 429) : null;
  };
}

/** A sliding count; a refused request is not counted again. */
function take(times: number[], most: number, nowMs: number): Reply | null {
  while (times[0] !== undefined && nowMs - times[0] >= WINDOW_MS) times.shift();
  if (times.length >= most)
    return text(`Rate limit of ${most} exceeded. Please wait before trying again.`, 429, { 'retry-after': '120' });
  times.push(nowMs);
  return null;
}
