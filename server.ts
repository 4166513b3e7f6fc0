import { importOrExplain } from './import-or-explain.ts'

await importOrExplain(() => import('./run-server.ts'))
