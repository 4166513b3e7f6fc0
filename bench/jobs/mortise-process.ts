import { silentLog } from '../../kernel/index.ts'
import { createService } from '../../service.ts'
import { noopPlugin } from './noop-job.ts'

const service = await createService({
  env: process.env,
  workingDirectory: process.cwd(),
  plugins: [noopPlugin],
  log: { ...silentLog, level: 'silent' },
})
await service.start()
process.once('SIGTERM', () => service.stop().then(() => process.exit(0)))
process.send?.('ready')
