import type { ImportReport, ImportRequest, ImportService } from '../import-export.ts'
import { countsOf, emptyReport } from './import-report.ts'
import { Importer, type ImporterDeps } from './importer.ts'

const untold = { id: 0, step: 0, report: emptyReport, isFinished: false }

export function createImportService(deps: ImporterDeps): ImportService {
  const { store } = deps

  async function importRecords(request: ImportRequest): Promise<ImportReport> {
    if (request.isTrial === true) return new Importer(deps, request, untold).run()
    const { name } = request
    const stored = await store.open(name)
    if (stored.isFinished) return stored.report
    const report = await new Importer(deps, request, stored).run()
    await store.finish(stored, name)
    return report
  }

  return {
    importRecords,
    async unfinished(name) {
      const stored = await store.find(name)
      return stored === undefined || stored.isFinished ? undefined : countsOf(stored.report)
    },
    forget: (name) => store.forget(name),
  }
}
