import { catalogue } from './catalogue.ts'

/** Texts about changes that were made before the page was loaded again. */
export const formerChanges = catalogue({
  sentOne: [
    '{n} change that waited was sent.',
    '{n} wartende Änderung wurde gesendet.',
    'Se envió {n} cambio que esperaba.',
  ],
  sent: [
    '{n} changes that waited were sent.',
    '{n} wartende Änderungen wurden gesendet.',
    'Se enviaron {n} cambios que esperaban.',
  ],
  refused: [
    'A change that waited was refused:',
    'Eine wartende Änderung wurde abgelehnt:',
    'Se rechazó un cambio que esperaba:',
  ],
  expired: [
    'A change that waited for more than a day was not sent. Check whether it took effect before you repeat it:',
    'Eine Änderung, die länger als einen Tag wartete, wurde nicht gesendet. Prüfen Sie, ob sie wirksam wurde, bevor Sie sie wiederholen:',
    'Un cambio que esperó más de un día no se envió. Compruebe si surtió efecto antes de repetirlo:',
  ],
  unknown: [
    'A change had no answer before the page was loaded again. It was not stored, because it has a secret or a file or needs a password. Check whether it took effect before you repeat it:',
    'Eine Änderung hatte vor dem Neuladen der Seite keine Antwort. Sie wurde nicht gespeichert, weil sie ein Geheimnis oder eine Datei enthält oder ein Passwort braucht. Prüfen Sie, ob sie wirksam wurde, bevor Sie sie wiederholen:',
    'Un cambio no tuvo respuesta antes de recargar la página. No se guardó porque contiene un secreto o un archivo o necesita una contraseña. Compruebe si surtió efecto antes de repetirlo:',
  ],
  withoutEffect: [
    'A change was not made, because your session had ended. It was not stored, because it has a secret or a file or needs a password. Make it again:',
    'Eine Änderung wurde nicht vorgenommen, weil Ihre Sitzung beendet war. Sie wurde nicht gespeichert, weil sie ein Geheimnis oder eine Datei enthält oder ein Passwort braucht. Nehmen Sie sie erneut vor:',
    'Un cambio no se hizo porque su sesión había terminado. No se guardó porque contiene un secreto o un archivo o necesita una contraseña. Hágalo de nuevo:',
  ],
  otherUsersOne: [
    '{n} change of another user was not sent as you. It waits in this tab until that user signs in.',
    '{n} Änderung einer anderen Person wurde nicht in Ihrem Namen gesendet. Sie wartet in diesem Tab, bis die Person sich anmeldet.',
    '{n} cambio de otra persona no se envió en su nombre. Espera en esta pestaña hasta que esa persona inicie sesión.',
  ],
  otherUsers: [
    '{n} changes of another user were not sent as you. They wait in this tab until that user signs in.',
    '{n} Änderungen einer anderen Person wurden nicht in Ihrem Namen gesendet. Sie warten in diesem Tab, bis die Person sich anmeldet.',
    '{n} cambios de otra persona no se enviaron en su nombre. Esperan en esta pestaña hasta que esa persona inicie sesión.',
  ],
  notSent: [
    'This edit was not sent before the page was loaded again:',
    'Diese Bearbeitung wurde vor dem Neuladen der Seite nicht gesendet:',
    'Esta edición no se envió antes de recargar la página:',
  ],
  saveAgain: [
    'You saved this before the page was loaded again, and it was not sent. Save it again.',
    'Sie haben dies vor dem Neuladen der Seite gespeichert, und es wurde nicht gesendet. Speichern Sie es erneut.',
    'Usted guardó esto antes de recargar la página y no se envió. Guárdelo otra vez.',
  ],
})
