import { useRef, useState } from 'react'
import { t } from '../../ground/i18n/translate.ts'
import classes from './preview.module.css'
import { withToken } from './preview-address.ts'
import { type PreviewedPage, useConnection } from './use-connection.ts'
import { useScale } from './use-scale.ts'

export interface PreviewFrameProps extends PreviewedPage {
  /** The width of the page in CSS pixels. */
  readonly width: number
}

/** Shows a page at a given screen width, scaled down to the available space. */
export function PreviewFrame({ width, ...previewed }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  // The frame's URL stays the same when the token is renewed, as long as the page confirms tokens.
  const [address] = useState(() => withToken(previewed.url, previewed.token))
  const { answer, onLoad } = useConnection(frame, previewed)
  const { box, scale, height } = useScale(width)
  return (
    <>
      <p className={classes.answer} role="status">
        {t(`preview.${answer}`)}
      </p>
      <div ref={box} className={classes.box}>
        <div className={classes.screen} style={{ width: width * scale }}>
          <iframe
            ref={frame}
            className={classes.frame}
            style={{ width, height: height / scale, transform: `scale(${scale})` }}
            title={t('preview.page')}
            src={address}
            sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
            referrerPolicy="no-referrer"
            onLoad={onLoad}
          />
        </div>
      </div>
    </>
  )
}
