import { importOrExplain } from '../server/import-or-explain.ts'

await importOrExplain(() => import('./run-mortise.ts'))
