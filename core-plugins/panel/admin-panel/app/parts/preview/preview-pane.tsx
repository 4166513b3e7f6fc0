import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useEntry } from '../../content/entry/entry-session.ts'
import { useAccess } from '../../ground/access/access.ts'
import { admin } from '../../ground/api/admin.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { ToggleButton } from '../../ground/kit/toggle-button/toggle-button.tsx'
import { Toolbar } from '../../ground/kit/toolbar/toolbar.tsx'
import { keepDevice, keptDevice } from './device.ts'
import { NoPage } from './no-page.tsx'
import classes from './preview.module.css'
import { type PreviewAddress, previewAddress, previewTemplate } from './preview-address.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { usePreview } from './use-preview.ts'

/** Screen widths in CSS pixels. */
const devices = [
  { id: 'phone', icon: 'smartphone', width: 390 },
  { id: 'tablet', icon: 'tablet', width: 768 },
  { id: 'desktop', icon: 'monitor', width: 1280 },
] as const

/** Tokens are valid for ten minutes. */
const renewAfterMs = 8 * 60_000

const lookEveryMs = 15_000

/** The preview of the entry beside its form. */
export default function PreviewPane() {
  const [, setOpen] = usePreview()
  const [device, setDevice] = useState(keptDevice)
  const [loads, setLoads] = useState(0)
  const { width } = devices.find(({ id }) => id === device) ?? devices[0]
  return (
    <section className={classes.pane} aria-label={t('preview.title')}>
      <header className={classes.bar}>
        <Toolbar label={t('preview.width')}>
          {devices.map(({ id, icon }) => (
            <ToggleButton
              key={id}
              icon={icon}
              label={t(`preview.${id}`)}
              isSelected={id === device}
              onChange={() => setDevice(keepDevice(id))}
            />
          ))}
        </Toolbar>
        <span className={classes.aside}>
          <IconButton icon="refresh-cw" label={t('preview.reload')} onPress={() => setLoads(loads + 1)} />
          <IconButton icon="x" label={t('preview.close')} onPress={() => setOpen(false)} />
        </span>
      </header>
      <PageOfEntry width={width} loads={loads} />
    </section>
  )
}

function PageOfEntry({ width, loads }: { readonly width: number; readonly loads: number }) {
  const { type, id } = useEntry()
  const address = useAddress()
  const isKnown = address.kind === 'known'
  const { data, error, refetch, renewIfDue } = useToken(type.name, id, isKnown)
  if (!isKnown) return <NoPage address={address} type={type} />
  if (error !== null && data === undefined) {
    return (
      <EmptyState
        icon="server-crash"
        title={t('preview.failed')}
        action={<Button onPress={() => void refetch()}>{t('shell.tryAgain')}</Button>}
      >
        {errorText(error)}
      </EmptyState>
    )
  }
  if (data === undefined && id !== undefined) return <Skeleton lines={6} />
  const { url, origin } = address
  return (
    <PreviewFrame
      key={`${loads} ${url}`}
      url={url}
      origin={origin}
      token={data?.token ?? ''}
      renewIfDue={renewIfDue}
      entryId={id}
      width={width}
    />
  )
}

/** A token for the entry, renewed before it expires. */
function useToken(type: string, id: number | undefined, isWanted: boolean) {
  const isAsked = isWanted && id !== undefined
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['preview-token', type, id],
    queryFn: ({ signal }) => admin.previewToken(type, id ?? 0, { signal }),
    enabled: isAsked,
    // Also renews it when the tab becomes visible again.
    staleTime: renewAfterMs,
    gcTime: 0,
  })
  const renewIfDue = useCallback(() => {
    const isDue = isAsked && Date.now() - dataUpdatedAt >= renewAfterMs
    if (isDue && !document.hidden) void refetch({ cancelRefetch: false })
  }, [isAsked, dataUpdatedAt, refetch])
  useEffect(() => {
    // Timers stop while a computer sleeps, so the clock is compared instead.
    const timer = setInterval(renewIfDue, lookEveryMs)
    return () => clearInterval(timer)
  }, [renewIfDue])
  return { data, error, refetch, renewIfDue }
}

/** The preview URL of the open entry as saved. */
function useAddress(): PreviewAddress {
  const { type, locale, saved } = useEntry()
  const origins = useAccess().setting('security.preview.origins') as readonly string[]
  const template = previewTemplate(type, saved === undefined ? 'newUrl' : 'url')
  if (template === undefined) return { kind: 'unsaved' }
  return previewAddress({ template, entry: saved?.entry ?? { locale }, origins })
}
