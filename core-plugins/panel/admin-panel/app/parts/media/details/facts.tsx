import type { MediaFile } from '../../../../../../../client/client.ts'
import { formatDimensions } from '../../../content/files/file-format.ts'
import { formatBytes } from '../../../ground/i18n/bytes-text.ts'
import { t, writtenLocale } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import classes from './facts.module.css'

/** Properties of the file detected by the service, and its URLs. */
export function Facts({ file }: { readonly file: MediaFile }) {
  const dates = new Intl.DateTimeFormat(writtenLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  const facts: readonly (readonly [string, string])[] = [
    [t('media.kind'), file.mimeType],
    [t('media.dimensions'), formatDimensions(file)],
    [t('media.size'), formatBytes(file.size)],
    [t('media.uploaded'), dates.format(new Date(file.created_at))],
    [t('media.changed'), dates.format(new Date(file.updated_at))],
  ]
  const addresses = [
    { name: t('media.original'), url: file.url },
    ...Object.entries(file.formats).map(([name, { url, width }]) => ({
      name: t('media.format', { name, width }),
      url,
    })),
  ]
  return (
    <section className={classes.facts} aria-label={t('media.facts')}>
      <dl className={classes.list}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <ul className={classes.addresses}>
        {addresses.map(({ name, url }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noopener">
              {name}
            </a>
            <Button
              size="s"
              icon="copy"
              onPress={() => void copy(url)}
              aria-label={t('media.copyOf', { name })}
            >
              {t('media.copy')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Copies a URL; URLs on the service lack the origin, which is added since they are useless elsewhere without it. */
async function copy(url: string) {
  try {
    await navigator.clipboard.writeText(new URL(url, location.origin).href)
    toast('success', t('media.copied'))
  } catch {
    toast('danger', t('media.copyFailed'))
  }
}
