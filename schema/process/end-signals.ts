/** How a process is asked to end: by a supervisor, by Ctrl-C, or as its terminal was closed. */
export const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
