/** The result of some work, or `late` where it takes longer: the caller must not hang with it. @throws as the work, within the time. */
export async function inTime<T>(ms: number, work: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return Promise.race([work, silent]).finally(() => clearTimeout(timer));
}
