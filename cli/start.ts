import { defineCoreCommand } from './command.ts'

export const startCommand = defineCoreCommand({
  name: 'start',
  summary: 'starts the service, as in production',
  example: 'start',
  async run({ project }) {
    const { startService } = await import('../launch/service.mjs')
    await startService(project.workingDirectory)
    return undefined
  },
})

export const devCommand = defineCoreCommand({
  name: 'dev',
  summary: 'starts the service for development, and again after each change; makes .env on the first run',
  example: 'dev',
  async run({ project }) {
    const { developService } = await import('../launch/dev.mjs')
    await developService(project.workingDirectory)
    return undefined
  },
})
