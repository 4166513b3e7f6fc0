import pino from 'pino'
import type { Log } from '../../kernel/index.ts'
import { defineSetting } from '../config/config.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

export const logLevel = defineSetting<LogLevel>({
  key: 'log.level',
  env: 'LOG_LEVEL',
  tier: 'infrastructure',
  type: 'string',
  default: 'info',
  enum: logLevels,
  label: 'Log level',
  description: 'The least important kind of line that is logged; silent logs nothing',
})

/** The log of a process; its level can be changed, which counts for children made afterwards. */
export interface ProcessLog extends Log {
  level: string
}

/** Makes the log of this process: lines of JSON in production, lines for people otherwise. */
export async function createLog(env: Readonly<Record<string, string | undefined>>): Promise<ProcessLog> {
  const level = logLevels.find((name) => name === env.LOG_LEVEL) ?? logLevel.default
  const log: ProcessLog =
    env.NODE_ENV === 'production'
      ? pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime })
      : pino({ level }, await prettyStream())
  return log
}

/** Only loaded where people read the log. */
async function prettyStream() {
  const { build } = await import('pino-pretty')
  return build({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
}
