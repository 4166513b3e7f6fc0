import type { ReleaseFinding } from '../../../../../../client/admin.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { problemText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'

/** Describes a problem with an entry of a release. */
export function findingText(finding: ReleaseFinding): string {
  const { code, release, at } = finding
  switch (code) {
    case 'NOT_FOUND':
      return t('releases.finding.gone')
    case 'UNSUPPORTED':
      return t('releases.finding.unsupported')
    case 'NO_CHANGE':
      return t('releases.finding.noChange')
    case 'SCHEDULED':
      return t('releases.finding.scheduled', { time: momentText(at ?? '') })
    case 'OTHER_RELEASE':
      return t('releases.finding.otherRelease', { name: release?.name ?? '' })
    default:
      return problemText(finding)
  }
}
