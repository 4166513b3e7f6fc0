import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** A mounted file system for a test. */
export interface Mount {
  unmount(): void
}

/** A file system of its own with this many bytes; undefined if this machine does not allow mounts. */
export function mountSmallDisk(directory: string, bytes: number): Mount | undefined {
  mkdirSync(directory, { recursive: true })
  return mount(directory, ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory])
}

/** A read-only view of a folder; undefined if this machine does not allow mounts. */
export function mountReadOnly(directory: string): Mount | undefined {
  return mount(directory, ['--bind', '-o', 'ro', directory, directory])
}

/** Why a test that needs a mount is skipped. */
export const noMount = 'this machine lets nobody mount a file system'

function mount(directory: string, options: readonly string[]): Mount | undefined {
  try {
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    return undefined
  }
  // Lazily: a process that still has a file open there must not keep the test from ending.
  return { unmount: () => void execFileSync('umount', ['-l', directory]) }
}
