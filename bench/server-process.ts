import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const startTimeoutMs = 60_000
const pollMs = 5
const clockTicksPerSecond = 100

export interface ServerOptions {
  /** Node options and the script. */
  readonly nodeArguments: readonly string[]
  /** A path on the server that returns 200 when it is ready. */
  readonly readyPath: string
  readonly environment: Readonly<Record<string, string>>
  /** Working directory. */
  readonly folder: string
  /** The file for its output. */
  readonly logFile: string
}

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number | undefined
  /** From the start of the process to the first 200. */
  readonly bootMs: number
  /** Resident memory; undefined if there is no /proc. */
  readRssMb(): Promise<number | undefined>
  /** The part of it allocated by the process, without memory-mapped files such as SQLite's. */
  readOwnMb(): Promise<number | undefined>
  /** Processor time used so far, of all threads; undefined if there is no /proc. */
  readCpuMs(): Promise<number | undefined>
  /** Asks the server to stop and waits for its exit. */
  stop(): Promise<void>
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Without the settings of this process's environment, so that a run depends only on its options. */
const baseEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

function spawnServer(options: ServerOptions, port: number): ChildProcess {
  const log = openSync(options.logFile, 'a')
  const child = spawn(process.execPath, options.nodeArguments, {
    cwd: options.folder,
    env: { ...baseEnvironment(), ...options.environment, PORT: `${port}` },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return child
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

async function waitUntilReady(child: ChildProcess, url: string, logFile: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`the server did not start:\n${await readFile(logFile, 'utf8')}`)
    }
    await sleep(pollMs)
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const stopped = once(child, 'exit')
  child.kill('SIGTERM')
  await stopped
}

const readProc = (child: ChildProcess, file: string): Promise<string | undefined> =>
  readFile(`/proc/${child.pid}/${file}`, 'utf8').catch(() => undefined)

/** A field of /proc/<pid>/status, such as `VmRSS`. */
async function readMemoryMb(child: ChildProcess, field: string): Promise<number | undefined> {
  const status = await readProc(child, 'status')
  const kilobytes = status?.match(new RegExp(`^${field}:\\s+(\\d+)`, 'm'))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/** Fields 14 and 15 of /proc/<pid>/stat, counted after the program's name, which may contain spaces. */
async function readCpuMs(child: ChildProcess): Promise<number | undefined> {
  const fields = (await readProc(child, 'stat'))?.split(') ').at(-1)?.split(' ')
  if (fields === undefined) return undefined
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / clockTicksPerSecond
}

/** @throws Error with the server's output if it does not become ready */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawnServer(options, port)
  await waitUntilReady(child, `${url}${options.readyPath}`, options.logFile)
  return {
    url,
    pid: child.pid,
    bootMs: performance.now() - startedAt,
    readRssMb: () => readMemoryMb(child, 'VmRSS'),
    readOwnMb: () => readMemoryMb(child, 'RssAnon'),
    readCpuMs: () => readCpuMs(child),
    stop: () => stopServer(child),
  }
}
