import { importOrExplain } from './server/import-or-explain.ts'

await importOrExplain(() => import('./server/run-server.ts'))
