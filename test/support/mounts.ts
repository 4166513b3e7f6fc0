import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** A file system that a test has mounted. */
export interface Mount {
  unmount(): void
}

/** A file system of its own that holds so many bytes; undefined where this machine lets nobody mount one. */
export function mountSmallDisk(directory: string, bytes: number): Mount | undefined {
  mkdirSync(directory, { recursive: true })
  return mount(directory, ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory])
}

/** What is in a folder, but nobody can write there; undefined where this machine lets nobody mount it. */
export function mountReadOnly(directory: string): Mount | undefined {
  return mount(directory, ['--bind', '-o', 'ro', directory, directory])
}

/** Why a test that needs a mount is left out. */
export const noMount = 'this machine lets nobody mount a file system'

function mount(directory: string, options: readonly string[]): Mount | undefined {
  try {
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    return undefined
  }
  // Lazily: whoever still has a file open there must not keep the test from ending.
  return { unmount: () => void execFileSync('umount', ['-l', directory]) }
}
