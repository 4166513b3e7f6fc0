import pino from 'pino'
import { Type } from 'typebox'
import type { Log } from '../../../kernel/index.ts'
import { defineSetting } from '../config/config.ts'

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export const logLevel = defineSetting(
  'log.level',
  Type.Enum(logLevels, {
    env: 'LOG_LEVEL',
    tier: 'infrastructure',
    default: 'info',
    title: 'Log level',
    description: 'The least important kind of line that is logged; silent logs nothing',
  }),
)

/** The log of a process; a change of its level applies to children created afterwards. */
export interface ProcessLog extends Log {
  level: string
}

const descriptors = { stdout: 1, stderr: 2 } as const

/** Creates the log of this process: lines of JSON in production, human-readable lines otherwise. */
export async function createLog(
  env: Readonly<Record<string, string | undefined>>,
  target: keyof typeof descriptors = 'stdout',
): Promise<ProcessLog> {
  const level = logLevels.find((name) => name === env.LOG_LEVEL) ?? logLevel.default
  const log: ProcessLog =
    env.NODE_ENV === 'production'
      ? pino(
          { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
          pino.destination({ dest: descriptors[target], sync: true }),
        )
      : pino({ level }, await prettyStream(descriptors[target]))
  return log
}

/** Loaded on demand, for human-readable logs. */
async function prettyStream(destination: number) {
  const { build } = await import('pino-pretty')
  return build({ destination, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
}
