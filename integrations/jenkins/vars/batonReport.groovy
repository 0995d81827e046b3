// A step of a shared library: batonReport(url: ..., junit: 'reports/**/*.xml', token: 'baton-id-token') { sh 'make test' }
//
// `token` is a credential of the OpenID Connect Provider plugin (kind: secret text). Values reach the shell as
// environment variables only; the scripts below are fixed texts.
def call(Map options, Closure work) {
    def settings = [
        "BATON_URL=${options.url}",
        "BATON_JUNIT=${options.junit ?: ''}",
        "BATON_JOB=${options.job ?: env.STAGE_NAME ?: env.JOB_BASE_NAME}",
    ]
    if (report(options, settings, 'baton report --status in_progress --job-name "$BATON_JOB" --token-env BATON_TOKEN') == 78) {
        echo 'The relay says not to proceed.'
        return
    }
    def conclusion = 'failure'
    try {
        work()
        conclusion = currentBuild.currentResult
    } catch (org.jenkinsci.plugins.workflow.steps.FlowInterruptedException stopped) {
        conclusion = 'cancelled'
        throw stopped
    } finally {
        report(
            options,
            settings + ["BATON_CONCLUSION=${conclusion}"],
            'baton report --status completed --job-name "$BATON_JOB" --conclusion "$BATON_CONCLUSION" ' +
                '--token-env BATON_TOKEN ${BATON_JUNIT:+"--junit=$BATON_JUNIT"}'
        )
    }
}

private int report(Map options, List settings, String script) {
    withCredentials([string(credentialsId: options.token ?: 'baton-id-token', variable: 'BATON_TOKEN')]) {
        withEnv(settings) {
            return sh(script: script, returnStatus: true)
        }
    }
}
