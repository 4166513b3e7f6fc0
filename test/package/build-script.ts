import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../build')

/** The arguments for Node to run a script of the build, which is not translated for tests. */
export const buildScript = (name: string, ...args: readonly string[]): string[] => [
  '--import',
  import.meta.resolve('tsx'),
  join(folder, name),
  ...args,
]
