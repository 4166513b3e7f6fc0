import { describeProblem, nativePackageProblem } from '../kernel/index.ts'

/**
 * Runs a program by importing it. Where a package whose native code does not load is in the way, whoever imports it, the
 * process ends with its name and the remedy instead of a stack trace.
 */
export async function importOrExplain(load: () => Promise<unknown>): Promise<void> {
  try {
    await load()
  } catch (error) {
    const problem = nativePackageProblem(error)
    if (problem === undefined) throw error
    process.stderr.write(`Mortise cannot run here:\n${describeProblem(problem)}\n`)
    process.exit(1)
  }
}
