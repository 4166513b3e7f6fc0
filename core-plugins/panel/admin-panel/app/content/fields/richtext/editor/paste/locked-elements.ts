/** What has a meaning that the editor cannot show: it keeps it as it is. */
export const lockedElements = `table, figure, dl, details, audio, video, sub, sup, mark, small, abbr, cite, q, dfn, kbd, samp,
  var, ins, ruby, bdo, time`
