import { describeProblem, nativePackageProblem } from '../kernel/index.ts'

/**
 * Runs a program by importing it. If the native code of a package cannot be loaded, the process ends with the package's name
 * and the remedy instead of a stack trace, whichever module has imported it.
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
