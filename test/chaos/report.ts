import { compareFacts, type Facts } from './facts.ts';

/** What a run of kills has shown so far. */
export interface ChaosReport {
  kills: number;
  /** Processes that were started again after a kill. */
  restarts: number;
  /** Ingests from an empty folder to the end, the undisturbed one not counted. */
  folders: number;
  requests: number;
  /** Requests for what was held as complete when the process that sent them began. */
  askedTwice: string[];
  lost: string[];
  doubled: string[];
  /** Kinds of rows that differ from the undisturbed run's. */
  unequal: string[];
  /** What a catalogue says that contradicts itself. */
  faults: string[];
  /** Kinds of rows compared, and releases in the undisturbed catalogue. */
  compared: number;
  releases: number;
}

export function makeReport(): ChaosReport {
  return {
    kills: 0,
    restarts: 0,
    folders: 0,
    requests: 0,
    askedTwice: [],
    lost: [],
    doubled: [],
    unequal: [],
    faults: [],
    compared: 0,
    releases: 0,
  };
}

/** Adds what one catalogue has otherwise than the undisturbed one, and returns it in a sentence. */
export function addComparison(report: ChaosReport, due: Facts, came: Facts): string {
  const { lost, doubled, unequal } = compareFacts(due, came);
  report.lost.push(...lost);
  report.doubled.push(...doubled);
  report.unequal.push(...unequal);
  report.faults.push(...came.faults);
  const same = unequal.length === 0 ? 'every digest equal' : `not equal: ${unequal.join(', ')}`;
  return `${lost.length} lost, ${doubled.length} doubled, ${same}`;
}
