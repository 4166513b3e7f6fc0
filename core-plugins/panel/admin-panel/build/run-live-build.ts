import { buildLive, type LiveAnswer } from './live-build.ts'

/** Runs in its own process: a build takes a gigabyte of memory, which is freed when the process ends. */
const answer: LiveAnswer = await buildLive().then(
  (folder) => ({ folder }),
  (error: Error) => ({ problem: error.message }),
)
process.send?.(answer)
