import type { Disposable } from '../../base/disposable.ts';
import type { ParameterFault, ParameterFormView, TypedValue } from '../../protocol/parameterForm.ts';

/** A form that the results panel shows until the user answers it. */
export interface PanelForm {
  readonly view: () => ParameterFormView;
  /** Fires when columns became known, so that `view` shows more. */
  readonly onChange: (listener: () => void) => Disposable;
  readonly onFocus: (index: number) => void;
  readonly faultsOf: (values: readonly TypedValue[]) => readonly ParameterFault[];
}

type FormValues = readonly TypedValue[] | undefined;

interface OpenForm {
  readonly form: PanelForm;
  readonly resolve: (answer: FormValues) => void;
}

/** Shows one form at a time. A new form cancels the one before. */
export function panelForms(show: (view: ParameterFormView | null) => void) {
  let openForm: OpenForm | undefined;
  const formOf = (id: string): OpenForm | undefined => (openForm?.form.view().id === id ? openForm : undefined);
  /** Sends the open form to a page that may have loaded again. */
  const send = (): void => {
    if (openForm) show(openForm.form.view());
  };
  return {
    send,

    /** `reveal` brings the page to the front, with the focus. */
    async prompt(form: PanelForm, reveal: () => PromiseLike<unknown>): Promise<FormValues> {
      openForm?.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<FormValues>();
      const open = { form, resolve };
      openForm = open;
      const listener = form.onChange(send);
      try {
        send();
        await reveal();
        return await promise;
      } finally {
        listener.dispose();
        if (openForm === open) {
          openForm = undefined;
          show(null);
        }
      }
    },

    focus(id: string, index: number): void {
      formOf(id)?.form.onFocus(index);
    },

    submit(id: string, values: readonly TypedValue[]): ParameterFault[] {
      const open = formOf(id);
      const faults = open?.form.faultsOf(values) ?? [];
      if (faults.length === 0) open?.resolve(values);
      return [...faults];
    },

    /** Cancels the form with an id, or else the open one. */
    cancel(id?: string): void {
      const open = id === undefined ? openForm : formOf(id);
      open?.resolve(undefined);
    },
  };
}
