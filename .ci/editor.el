;; A session in Emacs with eglot: opens a ruleset, breaks it, sees the diagnostic, repairs it, looks a name up, completes a value.
;; Run in a module:  SERVER=rules emacs --batch -f package-initialize -l .ci/editor.el
(require 'eglot)

;; cue-mode comes from an archive of packages; what it highlights does not matter here.
(define-derived-mode cue-mode prog-mode "CUE")
(add-to-list 'auto-mode-alist '("\\.cue\\'" . cue-mode))
(add-to-list 'eglot-server-programs `(cue-mode . (,(getenv "SERVER") "lsp")))
(setq eglot-sync-connect 30)

(defun wait-until (what holds)
  (let ((tries 600))
    (while (and (> tries 0) (not (funcall holds)))
      (accept-process-output nil 0.1)
      (setq tries (1- tries))))
  (unless (funcall holds) (error "waited in vain until %s" what)))

(defun request (method params)
  (jsonrpc-request (eglot--current-server-or-lose) method params :timeout 30))

(defun change (from to)
  (goto-char (point-min))
  (search-forward from)
  (replace-match to t t)
  (eglot--signal-textDocument/didChange))

(find-file "tables/tempestas/testing.cue")
(apply #'eglot--connect (eglot--guess-contact))
(eglot--maybe-activate-editing-mode)
(wait-until "the buffer is managed" #'eglot-managed-p)

;; Break a formula: a lock of Emacs lies beside the file now. See the diagnostic, and let it be repaired.
(change "base - penalty - hard" "base - penalti - hard")
(wait-until "the mistake is seen"
            (lambda () (seq-some (lambda (d) (string-match-p "penalty" (flymake-diagnostic-text d))) eglot--diagnostics)))
(backward-char (length "i - hard"))
(let* ((at (eglot--TextDocumentPositionParams))
       (here (plist-get at :position))
       (actions (request :textDocument/codeAction
                         (list :textDocument (plist-get at :textDocument)
                               :range (list :start here :end here) :context '(:diagnostics [])))))
  (unless (equal (plist-get (aref actions 0) :title) "write penalty") (error "got %S" actions))
  (eglot--apply-workspace-edit (plist-get (aref actions 0) :edit)))
(goto-char (point-min))
(search-forward "base - penalty - hard")
(eglot--signal-textDocument/didChange)
(wait-until "it is mended" (lambda () (null eglot--diagnostics)))

;; Look a function up, and jump to it.
(goto-char (point-min))
(search-forward "hindrance(")
(backward-char 4)
(let ((hover (request :textDocument/hover (eglot--TextDocumentPositionParams))))
  (unless (string-match-p "hindrance" (plist-get (plist-get hover :contents) :value)) (error "got %S" hover)))
(unless (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)) (error "there is no definition"))

;; Complete the values of an option inside of the formula.
(change "base - penalty" "base - penalty + option.heroic_cap == ''")
(backward-char 1)
(let ((found (all-completions "" (nth 2 (eglot-completion-at-point)))))
  (unless (member "hundred" found) (error "got %S" found)))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot--current-server-or-lose))
(message "editor session passed")
