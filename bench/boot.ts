import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceOptions, startService } from './service.ts'
import { median } from './throughput.ts'

const settleMs = 1000

export interface BootResult {
  /** From the start of the process to the first 200, median. */
  readonly bootMs: number
  /** Resident memory a second after the start, before any request; undefined if there is no /proc. */
  readonly idleRssMb: number | undefined
}

/** Starts the service several times on an existing database. */
export async function measureBoot(options: ServiceOptions, count: number): Promise<BootResult> {
  const boots: number[] = []
  let idleRssMb: number | undefined
  for (let boot = 0; boot < count; boot++) {
    const service = await startService(options)
    boots.push(service.bootMs)
    await sleep(settleMs)
    idleRssMb = await service.readRssMb()
    await service.stop()
  }
  return { bootMs: median(boots), idleRssMb }
}
