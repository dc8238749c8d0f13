import { catalogue } from './catalogue.ts'

export const connection = catalogue({
  lost: [
    'The server does not answer. This page may be out of date. Changes wait until it answers.',
    'Der Server antwortet nicht. Die Anzeige kann veraltet sein; Änderungen warten, bis er antwortet.',
    'El servidor no responde. Lo que ve puede ser antiguo; los cambios esperan su respuesta.',
  ],
  slow: [
    'This takes longer than usual.',
    'Das dauert länger als üblich.',
    'Esto tarda más de lo habitual.',
  ],
  silent: [
    'The server does not answer. This page tries again.',
    'Der Server antwortet nicht. Diese Seite versucht es weiter.',
    'El servidor no responde. Esta página lo intenta de nuevo.',
  ],
  partWaits: [
    'What you opened is not loaded yet. It comes once the server answers.',
    'Was Sie geöffnet haben, ist noch nicht geladen. Es kommt, sobald der Server antwortet.',
    'Lo que abrió aún no está cargado. Llega cuando el servidor responda.',
  ],
  partMissing: [
    'This part of the page could not be loaded. Load the page again.',
    'Dieser Teil der Seite konnte nicht geladen werden. Laden Sie die Seite neu.',
    'No se pudo cargar esta parte de la página. Recargue la página.',
  ],
  notAnswered: [
    'The server did not answer.',
    'Der Server hat nicht geantwortet.',
    'El servidor no respondió.',
  ],
  changeOn: ['Change on “{page}”', 'Änderung auf „{page}“', 'Cambio en «{page}»'],
  waitsOne: ['{n} change waits', '{n} Änderung wartet', '{n} cambio espera'],
  waits: ['{n} changes wait', '{n} Änderungen warten', '{n} cambios esperan'],
  cancelled: [
    'You cancelled this change.',
    'Sie haben diese Änderung abgebrochen.',
    'Usted canceló este cambio.',
  ],
  tooOld: [
    'The server did not answer for a day. Check whether this change took effect before you repeat it.',
    'Der Server hat einen Tag lang nicht geantwortet. Prüfen Sie, ob diese Änderung wirksam wurde, bevor Sie sie wiederholen.',
    'El servidor no respondió en un día. Compruebe si este cambio surtió efecto antes de repetirlo.',
  ],
  notLoaded: [
    'This part is loaded once the server answers.',
    'Dieser Teil wird geladen, sobald der Server antwortet.',
    'Esta parte se carga cuando el servidor responda.',
  ],
})
