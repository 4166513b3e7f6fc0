const words = (text: string): readonly string[] => text.split(' ')

/** User data of a movie about its content, makers and rights. */
export const publicUserData: readonly string[] = [
  ...words('nam ART alb day cmt gen cpy des inf dir prd prf wrt lyr too').map((name) => `\xa9${name}`),
  ...words('cprt titl dscp auth perf gnre kywd albm yrrc rtng clsf name'),
  // Names of tracks and chapters, and how they are played.
  ...words('hnti hinf tagc chpl tsel strk kind elng LOOP SelO AllF free skip'),
]

/** The same data as list items with the names that iTunes uses, without those of accounts. */
export const publicNames: readonly string[] = [
  ...publicUserData,
  ...words('\xa9grp ---- desc ldes covr trkn disk tmpo cpil pgap aART soal soar sonm soaa soco stik'),
  ...words('tvsh tven tves tvsn hdvd pcst catg keyw'),
]

/** The same data under the key names that phones and ffmpeg use. */
export const publicKeys =
  /^(com\.apple\.quicktime\.(title|artist|author|album|comment|description|information|copyright|creationdate|year|genre|keywords|displayname|director|producer|performer|publisher|composer|rating\.user|live-photo\.[\w.-]+|full-frame-rate-playback-intent|still-image-time|content\.identifier)|com\.android\.capture\.fps|title|artist|author|album|comment|description|copyright|date|genre|language|encoder)$/
