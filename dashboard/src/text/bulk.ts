import { catalogue } from './catalogue.ts'

/** Texts of the selected records of a list, which are loaded when the first one is selected. */
export const bulk = catalogue({
  selection: ['Selection', 'Auswahl', 'Selección'],
  chosen: ['{n} selected', '{n} ausgewählt', '{n} {n:seleccionado|seleccionados}'],
  elsewhere: [
    '{n} of them on other pages',
    '{n} davon auf anderen Seiten',
    '{n} de ellos en otras páginas',
  ],
  none: ['Clear selection', 'Auswahl aufheben', 'Quitar selección'],
  noAction: [
    'No action is possible in the present state.',
    'Im jetzigen Zustand ist keine Aktion möglich.',
    'Ninguna acción es posible en el estado actual.',
  ],
  onPage: [
    '{n} on this page {n:is|are} selected.',
    '{n} auf dieser Seite {n:ist|sind} ausgewählt.',
    '{n} de esta página {n:está seleccionado|están seleccionados}.',
  ],
  selectAll: [
    'Select all {n} that match',
    'Alle {n} passenden auswählen',
    'Seleccionar los {n} que coinciden',
  ],
  selectAllUncounted: [
    'Select all that match',
    'Alle passenden auswählen',
    'Seleccionar todos los que coinciden',
  ],
  reading: ['{done} of {total} read', '{done} von {total} gelesen', '{done} de {total} leídos'],
  readingUncounted: ['{done} read', '{done} gelesen', '{done} leídos'],
  mostSelected: [
    'More match, but at most {n} are selected at once. Repeat the action for the others.',
    'Es passen mehr, doch höchstens {n} werden zugleich ausgewählt. Wiederholen Sie die Aktion für die übrigen.',
    'Coinciden más, pero se seleccionan como máximo {n} a la vez. Repita la acción con los demás.',
  ],
  stop: ['Stop', 'Anhalten', 'Detener'],
  stopping: [
    'Stopping after the present record.',
    'Hält nach dem jetzigen Datensatz an.',
    'Se detiene tras el registro actual.',
  ],
  progress: ['{done} of {total}', '{done} von {total}', '{done} de {total}'],
  done: ['{n} done.', '{n} erledigt.', '{n} {n:hecho|hechos}.'],
  refused: ['{n} refused.', '{n} abgelehnt.', '{n} {n:rechazado|rechazados}.'],
  left: [
    '{n} not attempted, because the work was stopped.',
    '{n} nicht versucht, weil angehalten wurde.',
    '{n} sin intentar, porque se detuvo.',
  ],
  silent: [
    'The server does not answer. The work goes on once it does, or you stop it here.',
    'Der Server antwortet nicht. Es geht weiter, sobald er antwortet, oder Sie halten hier an.',
    'El servidor no responde. El trabajo sigue cuando responda, o deténgalo aquí.',
  ],
  notDone: ['{n} not done.', '{n} nicht ausgeführt.', '{n} sin hacer.'],
  notDoneList: [
    'These were not done for the moment. They stay selected, and can be sent again:',
    'Diese wurden vorerst nicht ausgeführt. Sie bleiben ausgewählt und können erneut gesendet werden:',
    'Estos no se hicieron por ahora. Siguen seleccionados y pueden enviarse de nuevo:',
  ],
  retry: ['Send {n} again', '{n} erneut senden', 'Enviar {n} de nuevo'],
  unanswered: [
    'The server has not answered. It may still be done.',
    'Der Server hat nicht geantwortet. Es kann noch ausgeführt werden.',
    'El servidor no respondió. Aún puede hacerse.',
  ],
  refusedList: [
    'These were refused and stay selected:',
    'Diese wurden abgelehnt und bleiben ausgewählt:',
    'Estos se rechazaron y siguen seleccionados:',
  ],
})
