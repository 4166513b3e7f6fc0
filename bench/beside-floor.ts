import { runBench, runProfiles } from './bench.ts'
import { createCleanup } from './cleanup.ts'
import { findLoader } from './load.ts'
import { readCommand } from './options.ts'
import { formatResult, saveResult } from './report.ts'

async function main(args: readonly string[]): Promise<void> {
  const { options, isProfile, scenarios } = readCommand(args)
  const cleanup = createCleanup()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().finally(() => process.exit(1)))
  }
  const bench = { options, scenarios, loader: await findLoader(), say: console.error, cleanup }
  try {
    if (isProfile) {
      console.log(await runProfiles(bench))
      return
    }
    const result = await runBench(bench)
    console.log(`\n${formatResult(result)}\n\nwritten to ${await saveResult(result)}`)
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
