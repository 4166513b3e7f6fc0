import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dialectNames } from '../core-plugins/foundation/database/database.ts'
import { createCleanup } from './cleanup.ts'
import { bullmqSide } from './jobs/bullmq.ts'
import type { JobsSide } from './jobs/jobs-side.ts'
import { mortiseSide } from './jobs/mortise.ts'
import { describeMachine, formatTable } from './report.ts'
import { createFolder } from './workspace.ts'

const concurrency = 10
const writers = 32

/** Measures jobs run by 1 and by 4 processes, against bare BullMQ in the same run. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { jobs: { type: 'string', default: '10000' } } })
  const jobs = Number(values.jobs)
  const cleanup = createCleanup()
  const folder = await createFolder(cleanup)
  await mkdir(join(folder, 'schemas'))
  const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
  const sides = [
    bullmqSide(folder),
    ...dialectNames.map((database) => mortiseSide(database, folder)),
    mortiseSide('postgres', folder, redisUrl),
  ]
  try {
    const rows: string[][] = []
    for (const side of sides) rows.push(await rowOf(side, jobs))
    const header = ['', 'made/s', '1 process: done/s', '4 processes: done/s']
    const { node, load } = describeMachine()
    console.log(`${jobs} jobs, Node ${node}, load before ${load.toFixed(1)}\n`)
    console.log(formatTable([header, ...rows]))
  } finally {
    await cleanup.run()
  }
}

async function rowOf(side: JobsSide, jobs: number): Promise<string[]> {
  const [one, four] = [
    await side.measure({ jobs, processes: 1, concurrency, writers }),
    await side.measure({ jobs, processes: 4, concurrency, writers }),
  ]
  const perSecond = (ms: number) => ((jobs * 1000) / ms).toFixed(0)
  return [side.title, perSecond(one.enqueueMs), perSecond(one.totalMs), perSecond(four.totalMs)]
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
