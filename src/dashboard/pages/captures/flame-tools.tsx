/** Filled and shown by the script. */
export function FlameTools() {
  return (
    <div class="stack" data-with-script hidden>
      <Bar />
      <Explanations />
      <div class="flame-current small">
        <p role="status">
          <strong>
            <bdi data-name />
          </strong>{" "}
          <span class="quiet">
            <bdi data-class />
          </span>
          <br />
          <bdi data-facts />
        </p>
        <button type="button" class="plain" data-method>
          Callers and callees
        </button>
      </div>
      <div class="flame-panes">
        <div
          class="flame-graph"
          tabIndex={0}
          role="group"
          aria-label="Flame graph. Arrow keys move between frames, Enter zooms in, Escape zooms out. The table has the same frames."
        />
        <div class="flame-table" data-pane>
          <Table />
        </div>
      </div>
      <ul class="flame-legend small" data-legend aria-label="Colours of owners, with their own shares" />
      <p class="hint" data-merged hidden />
      <details class="small">
        <summary>Mouse, fingers and keys</summary>
        <p class="hint">
          Click a frame to zoom in, drag to move. Ctrl and the wheel, or two fingers, zoom; Shift and the
          wheel, or one finger sideways, move. In the graph arrow keys move between frames, Enter zooms in,
          Escape zooms out, + and - scale. In the table arrow keys move, open and close. The address of the
          page holds what is shown, so a link leads to the same view.
        </p>
      </details>
      <div class="flame-note small" aria-hidden="true" hidden>
        <strong />
        <span class="quiet" />
        <span />
      </div>
    </div>
  );
}

function Bar() {
  return (
    <div class="flame-bar small">
      <div class="segments" role="group" aria-label="What stands below a frame">
        <button type="button" data-view="calls">
          Calls
        </button>
        <button type="button" data-view="hot">
          Hot methods
        </button>
        <button type="button" data-view="method" hidden />
      </div>
      <div class="segments" role="group" aria-label="How it is shown">
        <button type="button" data-show="graph">
          Graph
        </button>
        <button type="button" data-show="table">
          Table
        </button>
        <button type="button" data-show="both">
          Both
        </button>
      </div>
      <label>
        Find <input type="search" autocomplete="off" maxlength={200} placeholder="method, class or plugin" />
      </label>
      <button type="button" class="plain" data-next hidden>
        Next
      </button>
      <button type="button" class="plain" data-whole>
        Whole profile
      </button>
      <span role="status" data-found />
    </div>
  );
}

/** The script shows the sentence of the present view. */
function Explanations() {
  return (
    <>
      <p class="hint" data-explains="calls">
        Every frame stands below its caller; its width is its share of all tick samples, never a duration.
      </p>
      <p class="hint" data-explains="hot" hidden>
        The first row has the methods in which samples ended, the most first. Below each method are its
        callers.
      </p>
      <p class="hint" data-explains="method" hidden>
        Callers of the method are above it, callees below it. Widths are shares of the samples that have the
        method on their stack.
      </p>
    </>
  );
}

function Table() {
  return (
    <table role="treegrid" aria-label="Frames with their shares">
      <thead>
        <tr>
          <th scope="col">Method</th>
          <th scope="col">Owner</th>
          <th scope="col" class="number">
            Total
          </th>
          <th scope="col" class="number">
            Own
          </th>
        </tr>
      </thead>
      <tbody />
    </table>
  );
}
